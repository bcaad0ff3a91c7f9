class {{ cookiecutter.model_name }}(nn.Module):
    {% if cookiecutter.use_bias %}bias = True{% endif %}
